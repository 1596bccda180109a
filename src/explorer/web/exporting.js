// Files that the browser saves: of a graph the drawing as it is marked, and the graph in the formats of other programs.
import { DrawnGraph, parsed } from "./drawn.js";

/** The largest side of a picture, which browsers can still make, and how much it is enlarged if it is smaller. */
const LARGEST = 8000;
const ENLARGED = 2;

/** The style of what is marked, for light and dark. */
const MARKS = `
.has-trail .line:not(.trail),.has-trail .tip:not(.trail){opacity:.35}
.line.trail{stroke:#c0352b;stroke-width:3.2;stroke-opacity:1}.tip.trail{fill:#c0352b}
.node.trail .box{stroke:#c0352b;stroke-width:3}
.trail-label{fill:#c0352b}
.node.found .box{stroke:#7a5200;stroke-width:4}
`;

/** The drawing `svg`, a text, with its marks. */
export function marked(svg, marks) {
  // The page allows no style in its elements, so the file gets its style as a text.
  const [, style] = svg.match(/<style>([^<]*)<\/style>/);
  const element = parsed(svg);
  new DrawnGraph(element).mark(marks);
  return new XMLSerializer().serializeToString(element).replace(/>/, () => `><style>${style}${MARKS}</style>`);
}

/** A picture of the drawing `svg`, a text. Nothing is asked of anybody: the browser draws it. */
export async function picture(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const scale = Math.min(ENLARGED, LARGEST / Math.max(width, height, 1));
  const canvas = Object.assign(document.createElement("canvas"), { width: Math.round(width * scale), height: Math.round(height * scale) });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  if (!blob) throw new Error("the browser cannot make a picture of this size");
  return blob;
}

/** Lets the browser save `content`, a text or a blob, as a file. The name is made of `title`. */
export function saved(title, ending, content, type = "text/plain") {
  const name = title.replace(/[^\p{L}\p{N}_-]+/gu, "-").replace(/^-+|-+$/g, "").slice(0, 60) || "graph";
  download(`${name}.${ending}`, content, type);
}

/** Lets the browser save `content`, a text or a blob, as a file of this name. */
export function download(name, content, type = "text/plain") {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
