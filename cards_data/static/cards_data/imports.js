// The import wizard works without this script: it shows progress as it comes, says at once that a file is too
// large, and keeps a second click from being sent. What is not to be done twice, the server refuses by itself.

const PAUSE = 1500;

for (const panel of document.querySelectorAll("[data-progress]")) {
  const ask = async () => {
    try {
      const answer = await fetch(panel.dataset.progress, { headers: { Accept: "application/json" } });
      // Signed out meanwhile, or the draft is gone: the page says so itself.
      if (!answer.ok || answer.redirected) return window.location.reload();
      const trial = await answer.json();
      if (trial.over) return window.location.reload();
      panel.querySelector("progress").value = trial.percent;
      panel.querySelector("[data-played]").textContent = trial.played;
      if (trial.played) {
        panel.querySelector("[data-broken]").textContent =
          trial.crashes || trial.endless
            ? `${trial.crashes} crashed, ${trial.endless} did not end so far.`
            : "All of them ended well so far.";
      }
    } catch {
      // The server is away for a moment; what it plays goes on when it is back.
    }
    window.setTimeout(ask, PAUSE);
  };
  window.setTimeout(ask, PAUSE);
}

for (const input of document.querySelectorAll("input[type=file][data-most]")) {
  input.addEventListener("change", () => {
    const large = [...input.files].some((file) => file.size > Number(input.dataset.most));
    input.setCustomValidity(large ? "This file is too large for a card set." : "");
    input.reportValidity();
  });
}

for (const form of document.querySelectorAll("form[data-once]")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) return event.preventDefault();
    form.dataset.sent = "yes";
    const button = form.querySelector("button");
    button.setAttribute("aria-disabled", "true");
    button.textContent = form.dataset.once;
  });
}

// Coming back with the browser's button, the page is as it was left.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) window.location.reload();
});
