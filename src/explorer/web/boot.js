// Opens the page anew if a part of it was not loaded: browsers drop connections when a network comes or goes. This is
// no module, and comes first, so that it hears of everything that fails.
"use strict";

/** What the page needs of this, once it is there. */
globalThis.boot = (() => {
  /** The page is opened anew at most so often, after so many milliseconds. */
  const MOST = 10;
  const PAUSE = 500;

  /** Where this tab counts. */
  const KEY = "opened-anew";

  let isLeaving = false;
  let isLacking = false;

  /** Opens the page anew. Returns false if that has not helped before. */
  function openAnew() {
    if (isLeaving) return true;
    isLacking = true;
    try {
      const before = Number(sessionStorage.getItem(KEY) ?? 0);
      // Of a folder without a server, browsers load no modules at all.
      if (before >= MOST || location.protocol === "file:") return false;
      sessionStorage.setItem(KEY, String(before + 1));
    } catch {
      // Nothing could be counted, so that it might never end.
      return false;
    }
    isLeaving = true;
    setTimeout(() => location.reload(), PAUSE);
    return true;
  }

  /** Notes that the page is open, and lacks nothing. */
  function isOpen() {
    if (isLacking) return;
    try {
      sessionStorage.removeItem(KEY);
    } catch {
      // Nothing was counted.
    }
  }

  // This event does not bubble. That of a module tells of what it imports, too.
  document.addEventListener("error", ({ target }) => {
    const isScript = target instanceof HTMLScriptElement;
    const isStyle = target instanceof HTMLLinkElement && target.rel === "stylesheet";
    if (!(isScript || isStyle) || openAnew() || isStyle) return;
    // Without a style the page looks odd; without a script it does not work.
    const what = location.protocol === "file:" ? "This page needs a web server, any of which can offer its folder." : "A part of this page could not be loaded: reload it.";
    document.getElementById("app").textContent = what;
  }, true);

  return { openAnew, isOpen };
})();
