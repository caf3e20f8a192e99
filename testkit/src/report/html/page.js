"use strict";
(() => {
  const buttons = [...document.querySelectorAll("nav button")];
  const level = document.querySelector("nav select");
  const search = document.querySelector("nav input");
  let shown = "all";
  const apply = () => {
    const words = search.value.trim().toLowerCase();
    for (const section of document.querySelectorAll("main section")) {
      let any = false;
      for (const one of section.querySelectorAll(".statement")) {
        const fits = (shown === "all" || one.dataset.status === shown)
          && (level.value === "all" || one.dataset.level === level.value)
          && (words === "" || one.querySelector("summary").textContent.toLowerCase().includes(words));
        one.hidden = !fits;
        any ||= fits;
      }
      section.hidden = !any;
    }
  };
  for (const button of buttons) {
    button.addEventListener("click", () => {
      shown = button.dataset.show;
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
      apply();
    });
  }
  level.addEventListener("change", apply);
  search.addEventListener("input", apply);
  // A link to a statement opens it, even where a filter hid it.
  const reveal = () => {
    const one = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (one) { one.hidden = false; one.closest("section").hidden = false; one.open = true; one.scrollIntoView(); }
  };
  addEventListener("hashchange", reveal);
  reveal();
})();
