// What is scrolled can be scrolled with keys: it is reached with Tab, if it is wider than what is seen of it.
"use strict";

function reachable() {
  for (const box of document.querySelectorAll("main :is(pre, pre > code, table)")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}

reachable();
addEventListener("resize", reachable);
