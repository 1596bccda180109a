// The document of a panel: one frame with a page of the explorer, and nothing else.
import { randomBytes } from "node:crypto";

/** The document that frames the page at `address`. Nothing but the page's origin can be loaded. */
export function panelHtml(address: string): string {
  const nonce = randomBytes(16).toString("hex");
  const { origin } = new URL(address);
  const policy = `default-src 'none'; frame-src ${origin}; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>CSP explorer</title>
<style nonce="${nonce}">
  html, body { height: 100%; margin: 0; padding: 0; overflow: hidden; }
  iframe { width: 100%; height: 100%; border: 0; background: #fff; }
</style>
</head>
<body>
<iframe title="CSP explorer" allow="clipboard-read; clipboard-write" src="${escaped(address)}"></iframe>
<script nonce="${nonce}">
  // Another process of the same page: what stands behind # changes, and the page stays.
  addEventListener("message", ({ data }) => {
    if (typeof data?.address === "string" && new URL(data.address).origin === ${JSON.stringify(origin)}) {
      document.querySelector("iframe").src = data.address;
    }
  });
</script>
</body>
</html>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
