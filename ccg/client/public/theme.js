// Loaded before anything is drawn, so that a chosen theme does not flash: <script src="/static/theme.js"></script>
// in the head. Everything else about themes is in src/site/theme.ts.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be off; then the system's theme is shown.
}
