"use strict";
(() => {
  const buttons = [...document.querySelectorAll("nav button")];
  const level = document.querySelector("nav select");
  const search = document.querySelector("nav input");
  const told = document.querySelector(".told");
  let shown = "all";
  const apply = () => {
    const words = search.value.trim().toLowerCase();
    let count = 0;
    for (const section of document.querySelectorAll("main section")) {
      let any = false;
      for (const one of section.querySelectorAll(".statement")) {
        const fits = (shown === "all" || one.dataset.status === shown)
          && (level.value === "all" || one.dataset.level === level.value)
          && (words === "" || one.querySelector("summary").textContent.toLowerCase().includes(words));
        one.hidden = !fits;
        any ||= fits;
        count += fits;
      }
      section.hidden = !any;
    }
    for (const one of buttons) one.setAttribute("aria-pressed", String(one.dataset.show === shown));
    // What is printed says that it is a part; what hides everything says so on the screen too.
    const parts = [
      shown !== "all" && buttons.find((one) => one.dataset.show === shown).firstChild.textContent.trim().toLowerCase(),
      level.value !== "all" && level.value,
      words && `“${words}”`,
    ].filter(Boolean);
    told.textContent = `Shown: ${parts.join(", ")} · ${count} of ${document.querySelectorAll(".statement").length} statements`;
    told.hidden = parts.length === 0;
    told.classList.toggle("none", count === 0);
  };
  // The filter is in the address, so that it can be passed on and outlives a reload: #show=fail&level=core&words=CONV
  const note = () => {
    const kept = new URLSearchParams();
    if (shown !== "all") kept.set("show", shown);
    if (level.value !== "all") kept.set("level", level.value);
    if (search.value.trim()) kept.set("words", search.value.trim());
    history.replaceState(null, "", `#${kept}`);
    apply();
  };
  for (const button of buttons) {
    button.addEventListener("click", () => { shown = button.dataset.show; note(); });
  }
  level.addEventListener("change", note);
  search.addEventListener("input", note);
  const read = () => {
    const hash = location.hash.slice(1);
    if (!hash.includes("=")) {
      // A link to a statement opens it, even where a filter hid it.
      const one = hash && document.getElementById(decodeURIComponent(hash));
      if (one) { one.hidden = false; one.closest("section").hidden = false; one.open = true; one.scrollIntoView(); }
      return;
    }
    const kept = new URLSearchParams(hash);
    shown = buttons.some((one) => one.dataset.show === kept.get("show")) ? kept.get("show") : "all";
    level.value = [...level.options].some((one) => one.value === kept.get("level")) ? kept.get("level") : "all";
    search.value = kept.get("words") ?? "";
    apply();
  };
  addEventListener("hashchange", read);
  read();
})();
