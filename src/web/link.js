// Links that hold everything: script, process, path. They stay in the browser: what follows `#` is
// never sent.

const VERSION = "v1";

/** What follows `#` in a link to `content`, which JSON can hold. */
export async function packed(content) {
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  const check = await digest(bytes);
  const small = await through(bytes, new CompressionStream("deflate-raw"));
  return `${VERSION}.${check}.${base64url(small)}`;
}

/** The content of a link, or an error that says what is wrong with it. */
export async function unpacked(link) {
  const text = link.includes("#") ? link.slice(link.indexOf("#") + 1) : link;
  const [version, check, data] = text.trim().split(".");
  if (version !== VERSION || !data) throw new Error("this is no link of this page");
  let bytes;
  try {
    bytes = await through(bytesOf(data), new DecompressionStream("deflate-raw"));
  } catch {
    throw new Error("the link is damaged: it was cut or changed on its way");
  }
  if ((await digest(bytes)) !== check) throw new Error("the link is damaged: its digest does not fit");
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** Where an address says to start, such as `#tab=walk&process=HANOI`; nothing if it is a link. */
export function startOf(hash) {
  const asked = new URLSearchParams(hash.slice(1));
  return asked.has("tab") ? { tab: asked.get("tab"), process: asked.get("process") } : null;
}

async function through(bytes, transform) {
  const stream = new Blob([bytes]).stream().pipeThrough(transform);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function digest(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return base64url(hash.slice(0, 9));
}

function base64url(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function bytesOf(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
