// Drawings that the program has laid out, in the colours of the page.
import { htm, h, useEffect, useRef } from "./vendor.js";

const html = htm.bind(h);

/** The drawing `svg`, a text, with a name for those who cannot see it. */
export function Drawing({ svg, name }) {
  const place = useRef(null);
  useEffect(() => {
    // The page has its own colours, and allows no style but its own.
    const plain = svg.replace(/<style>[^<]*<\/style>/, "");
    const parsed = new DOMParser().parseFromString(plain, "image/svg+xml");
    const drawing = document.importNode(parsed.documentElement, true);
    drawing.setAttribute("role", "img");
    drawing.setAttribute("aria-label", name);
    place.current.replaceChildren(drawing);
  }, [svg, name]);
  return html`<div class="drawing" ref=${place} tabindex="0" role="region" aria-label=${`${name}, can be scrolled`}></div>`;
}
