// The search acts at once: what the server answers replaces the results and chips on the page, which stays where it
// is. A query that cannot be read leaves them, and only says what is wrong. Without this script the form is sent.

const PAUSE = 200;
const PARTS = ["#query-wrong", "#facets", "#results"];

for (const form of document.querySelectorAll("form[data-instant]")) {
  let asked = 0;
  let timer = 0;

  const show = async (url, { typed = false, keep = false } = {}) => {
    window.clearTimeout(timer);
    const mine = ++asked;
    const results = document.querySelector("#results");
    results.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(url, { headers: { Accept: "text/html" } });
      const wrong = answer.status === 400;
      if (!answer.ok && !wrong) throw new Error(String(answer.status));
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (mine !== asked) return;
      replace(page, wrong ? ["#query-wrong"] : PARTS);
      results.classList.toggle("stale", wrong);
      form.elements.q.setAttribute("aria-invalid", String(wrong));
      if (!typed) form.elements.q.value = page.querySelector("#q").value;
      if (wrong) return;
      document.querySelector("#found").textContent = page.querySelector("#results").dataset.found ?? "";
      form.elements.last.value = page.querySelector("[name=last]").value;
      if (!keep) window.history[typed ? "replaceState" : "pushState"](null, "", answer.url);
    } catch {
      // The plain way shows what is wrong.
      if (mine === asked) window.location.assign(url);
    } finally {
      if (mine === asked) results.removeAttribute("aria-busy");
    }
  };

  const replace = (page, parts) => {
    const focused = document.activeElement?.closest("#facets [name=toggle]");
    const place = focused ? [...form.querySelectorAll("[name=toggle]")].indexOf(focused) : -1;
    for (const part of parts) document.querySelector(part)?.replaceChildren(...page.querySelector(part).childNodes);
    if (place >= 0) form.querySelectorAll("[name=toggle]")[place]?.focus();
  };

  const address = (submitter) => {
    const url = new URL(form.action);
    const data = submitter ? new FormData(form, submitter) : new FormData(form);
    for (const [key, value] of data) {
      if (value !== "" && key !== "last") url.searchParams.append(key, value);
    }
    return url;
  };

  const more = form.querySelector(".card-filter-more");
  more?.addEventListener("click", () => {
    more.setAttribute("aria-expanded", String(more.getAttribute("aria-expanded") !== "true"));
  });

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    show(address(event.submitter));
  });
  form.elements.q.addEventListener("input", () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => show(address(), { typed: true }), PAUSE);
  });
  window.addEventListener("popstate", () => show(window.location.href, { keep: true }));
}
