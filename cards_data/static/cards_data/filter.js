// Filters act at once: the results of the form's address replace those on the page, which stays where it is.
// Without this script the form is sent with its button.

const PAUSE = 250;

for (const form of document.querySelectorAll("form[data-instant]")) {
  let asked = 0;
  let timer = 0;

  const address = () => {
    const url = new URL(form.action);
    for (const [key, value] of new FormData(form)) {
      if (value !== "") url.searchParams.append(key, value);
    }
    return url;
  };

  const show = async () => {
    window.clearTimeout(timer);
    const results = document.querySelector(form.dataset.instant);
    const mine = ++asked;
    const url = address();
    results.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(url, { headers: { Accept: "text/html" } });
      if (!answer.ok) throw new Error(String(answer.status));
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (mine !== asked) return;
      results.replaceChildren(...page.querySelector(form.dataset.instant).childNodes);
      window.history.replaceState(null, "", url);
    } catch {
      // The plain way shows what is wrong.
      if (mine === asked) window.location.assign(url);
    } finally {
      if (mine === asked) results.removeAttribute("aria-busy");
    }
  };

  form.addEventListener("change", show);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    show();
  });
  form.addEventListener("input", (event) => {
    if (event.target.type !== "search") return;
    window.clearTimeout(timer);
    timer = window.setTimeout(show, PAUSE);
  });
}
