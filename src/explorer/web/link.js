// Links that hold everything: script, process, path. They stay in the browser: what follows `#` is
// never sent.

const VERSION = "v1";

/** What follows `#` in a link to `content`, which JSON can hold. */
export async function packed(content) {
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  // This format has a check sum, which shows whether a link is whole.
  const small = await through(bytes, new CompressionStream("gzip"));
  return `${VERSION}.${base64url(small)}`;
}

/** The content of a link, or an error that says what is wrong with it. */
export async function unpacked(link) {
  const text = link.includes("#") ? link.slice(link.indexOf("#") + 1) : link;
  const [version, data] = text.trim().split(".");
  if (version !== VERSION || !data) throw new Error("this is no link of this page");
  let bytes;
  try {
    bytes = await through(bytesOf(data), new DecompressionStream("gzip"));
  } catch {
    throw new Error("the link is damaged: it was cut or changed on its way");
  }
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

function base64url(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function bytesOf(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
