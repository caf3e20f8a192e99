// The dashboard's one script. Every flow works without it: it saves work, it decides nothing.

/** Makes HTML of this server's own answers, and of nothing else. */
const policy = globalThis.trustedTypes?.createPolicy("l10n", { createHTML: (html) => html }) ?? { createHTML: (html) => html };

const parse = (html) => new DOMParser().parseFromString(policy.createHTML(html), "text/html");

/** Messages and faults have the focus after a form, so that a screen reader says them and the next Tab is beside them. */
function focusMessage() {
  document.querySelector("[data-focus]")?.focus();
  // A reload does not say once more what was done.
  const url = new URL(location.href);
  if (url.searchParams.has("done")) {
    url.searchParams.delete("done");
    history.replaceState(history.state, "", url);
  }
}

/** Whoever comes back to the answer of a form gets its page anew: a browser does not keep answers that nobody may store. */
function forgetForm() {
  if (document.querySelector("main[data-answer]")) history.replaceState(history.state, "", location.href);
}

/** A form is sent once; when the page is come back to, it can be sent again. */
function sendOnce() {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.dataset.sent) {
      event.preventDefault();
      return;
    }
    if (form.method !== "post") return;
    form.dataset.sent = "yes";
    for (const button of form.querySelectorAll("button[type=submit]")) button.setAttribute("aria-disabled", "true");
  });
  addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[data-sent]")) {
      delete form.dataset.sent;
      for (const button of form.querySelectorAll("button[aria-disabled]")) button.removeAttribute("aria-disabled");
    }
  });
}

/** Buttons that copy are there only where copying works. */
function offerCopying(root) {
  if (!navigator.clipboard) return;
  for (const button of root.querySelectorAll("button[data-copy][hidden]")) {
    button.hidden = false;
    // Not read at each click: a second one may come while the button still says that it has copied.
    const word = button.textContent;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(button.dataset.copy);
        button.textContent = button.dataset.copied;
        button.setAttribute("aria-live", "polite");
      } catch {
        const range = document.createRange();
        range.selectNodeContents(button.previousElementSibling);
        getSelection()?.removeAllRanges();
        getSelection()?.addRange(range);
      }
      setTimeout(() => (button.textContent = word), 2000);
    });
  }
}

/** The menu closes by Escape, and when the focus or a click goes elsewhere. */
function closeMenus() {
  for (const menu of document.querySelectorAll("details[data-menu]")) {
    const close = () => (menu.open = false);
    menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !menu.open) return;
      close();
      menu.querySelector("summary").focus();
    });
    menu.addEventListener("focusout", (event) => {
      if (event.relatedTarget && !menu.contains(event.relatedTarget)) close();
    });
    document.addEventListener("click", (event) => {
      if (!menu.contains(event.target)) close();
    });
  }
}

/** One checkbox sets all that bear the name which it says. */
function setAll() {
  for (const all of document.querySelectorAll("input[data-all]")) {
    const others = () => [...document.querySelectorAll("input[type=checkbox]")].filter((box) => box.name === all.dataset.all);
    all.closest("[hidden]")?.removeAttribute("hidden");
    all.addEventListener("change", () => others().forEach((box) => (box.checked = all.checked)));
    document.addEventListener("change", (event) => {
      if (event.target.name === all.dataset.all) all.checked = others().every((box) => box.checked);
    });
  }
}

/** `g` and then a letter go to a page, outside of fields and where the account has not switched single keys off. */
function goByKeys() {
  if (!("shortcuts" in document.documentElement.dataset)) return;
  let since = -Infinity;
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest("input, select, textarea, [contenteditable]");
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const isSecond = event.timeStamp - since < 1500;
    since = event.key === "g" ? event.timeStamp : -Infinity;
    if (isSecond) document.querySelector(`a[data-go="${CSS.escape(event.key)}"]`)?.click();
  });
}

/** The title of the page and the number in the navigation follow a part that says them. */
function followPart(part) {
  const says = part.querySelector("[data-title]");
  if (!says) return;
  document.title = says.dataset.title;
  for (const count of document.querySelectorAll("[data-pending]")) {
    count.hidden = says.dataset.count === undefined;
    count.textContent = says.dataset.count ?? "";
    count.setAttribute("aria-label", says.dataset.label);
  }
}

/** A form with a fault, or with a field that somebody has changed. */
function isFilledIn(part) {
  const isChanged = (field) => field.value !== field.defaultValue || field.checked !== field.defaultChecked;
  return part.querySelector("[role=alert]") !== null || [...part.querySelectorAll("input, textarea")].some(isChanged);
}

/**
 * Parts of the page that change by themselves are loaded anew while somebody looks at them, less often when it fails. Where
 * the server says which state a part is in, it is asked to answer when there is another one.
 */
function refreshParts() {
  for (const part of document.querySelectorAll("[data-refresh]")) {
    let pause = 4000;
    let known = part.dataset.state;
    let ask;
    const load = async () => {
      if (document.hidden || part.contains(document.activeElement)) return again(4000);
      const begun = performance.now();
      const headers = { "L10n-Fragment": part.dataset.refresh };
      if (known) headers["L10n-Known"] = known;
      ask = new AbortController();
      try {
        const answer = await fetch(location.href, { headers, redirect: "manual", signal: ask.signal });
        if (!answer.ok) throw new Error(`status ${answer.status}`);
        const fresh = parse(await answer.text()).body;
        const state = answer.headers.get("L10n-State");
        // Who has come into the part meanwhile keeps it; the change is still there afterwards.
        if (part.contains(document.activeElement)) return again(4000);
        const isNew = state && state !== known;
        // The same state with other words tells the time anew, which is not worth what somebody has typed.
        if (fresh.textContent !== part.textContent && (isNew || !isFilledIn(part))) {
          part.replaceChildren(...fresh.childNodes);
          offerCopying(part);
          followPart(part);
        }
        // What changes may change again at once; a server that has not waited for long is asked later.
        const hasWaited = state && performance.now() - begun > 10000;
        known = state ?? undefined;
        pause = 4000;
        again(isNew ? 2000 : hasWaited ? 250 : pause);
      } catch (fault) {
        if (fault.name !== "AbortError") pause = Math.min(pause * 2, 60000);
        again(pause);
      }
    };
    const again = (wait) => setTimeout(load, wait);
    // A tab that nobody looks at takes no connection.
    document.addEventListener("visibilitychange", () => document.hidden && ask?.abort());
    again(known ? 250 : pause);
  }
}

/** Parts that take the server a while are loaded once the page is there. Where that fails, the link to them stays. */
function loadParts() {
  for (const part of document.querySelectorAll("[data-load]")) {
    const link = [...part.childNodes];
    const say = (text, ...more) => {
      const line = document.createElement("p");
      line.textContent = text;
      part.replaceChildren(line, ...more);
    };
    const load = async () => {
      part.setAttribute("aria-live", "polite");
      part.setAttribute("aria-busy", "true");
      say(part.dataset.loading);
      try {
        const answer = await fetch(location.href, { headers: { "L10n-Fragment": part.dataset.load }, redirect: "manual" });
        if (!answer.ok) throw new Error(`status ${answer.status}`);
        part.removeAttribute("aria-live");
        part.replaceChildren(...parse(await answer.text()).body.childNodes);
        offerCopying(part);
      } catch {
        say(part.dataset.failed, ...link);
      }
      part.removeAttribute("aria-busy");
    };
    load();
  }
}

focusMessage();
forgetForm();
sendOnce();
offerCopying(document);
closeMenus();
setAll();
goByKeys();
refreshParts();
loadParts();
