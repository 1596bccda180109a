// The built site in a browser: everybody can read it, what it shows fits, and what is pressed works.
import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BUILT, ROOT } from "../../places.mjs";
import { offered, opened, options, pictured, violations } from "./serving.mjs";

const PAGES = [
  "index.html", "manual/graphs.html", "manual/editors.html", "models/index.html",
  "models/philosophers/philosophers.html", "models/cache-coherence/msi.html", "models/language/operators.html",
  "labs/hanoi.html", "project/security.html",
];
const LOOKS = [["light", 1280], ["dark", 1280], ["light", 800], ["dark", 400]];
const PHILOSOPHERS = "models/philosophers/philosophers.html";

describe("the site", options, () => {
  const site = offered();

  for (const [colorScheme, width] of LOOKS) {
    test(`can be read by everybody, ${colorScheme}, ${width} wide`, async () => {
      for (const path of PAGES) {
        const page = await opened(site, path, { colorScheme, viewport: { width, height: 900 } });
        await pictured(page, `${path.replaceAll("/", "-")}-${colorScheme}-${width}`);
        assert.deepEqual(await violations(page), [], path);
        const beyond = await page.evaluate(() => document.querySelector("main").scrollWidth - document.querySelector("main").clientWidth);
        assert.ok(beyond <= 0, `${path}: ${beyond} pixels do not fit`);
        assert.deepEqual(page.complaints, [], path);
        await page.close();
      }
    });
  }

  test("an assertion leads to its line, and the script can be taken along", async () => {
    const page = await opened(site, PHILOSOPHERS);
    const link = page.locator(".assertions a").first();
    const text = await link.textContent();
    await link.click();
    assert.equal(await page.locator(".line:target").textContent(), `assert ${text}`);
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: /^Download/ }).click()]);
    assert.equal(readFileSync(await download.path(), "utf8"), readFileSync(join(ROOT, "cspm/philosophers/philosophers.csp"), "utf8"));
  });

  test("drawings are dark where the page is, whatever the system is", async () => {
    const page = await opened(site, PHILOSOPHERS, { colorScheme: "light" });
    const drawing = page.locator("figure img").first();
    const light = await brightness(page, drawing);
    await page.evaluate(() => localStorage.setItem("mdbook-theme", "navy"));
    await page.reload();
    const dark = await brightness(page, drawing);
    assert.ok(light > 0.8 && dark < 0.2, `light ${light}, dark ${dark}`);
  });

  test("is searched", async () => {
    const page = await opened(site, "index.html");
    await page.keyboard.press("s");
    await page.getByRole("searchbox").fill("timelock");
    await page.getByRole("link", { name: /Time/ }).first().waitFor();
  });

  describe("has the explorer", { skip: existsSync(join(BUILT, "explorer")) ? false : "the program was not built as WebAssembly" }, () => {
    const scripts = () => JSON.parse(readFileSync(join(BUILT, "explorer/opening"), "utf8")).scripts;

    test("with every model and the labs", async () => {
      assert.ok(scripts().includes("labs/hanoi/start.csp"));
      for (const script of scripts()) assert.ok(existsSync(join(BUILT, "explorer/openings", script)), script);
    });

    test("which opens with the script of a page, and decides it", async () => {
      const page = await opened(site, "models/milner/milner.html");
      await page.getByRole("link", { name: "Open in the explorer" }).click();
      const other = page.getByRole("combobox", { name: "Other scripts" });
      assert.equal(await other.inputValue(), "milner/milner.csp");
      assert.equal(await page.title(), "milner.csp – cspsym");
      await page.getByRole("button", { name: "Check assertion 1", exact: true }).click();
      await page.getByText(/^1 holds?, 0 fail/).waitFor();
      await pictured(page, "explorer");

      // Another script is another page: with drafts of its own, and links that lead to it.
      await other.selectOption("labs/hanoi/start.csp");
      await page.getByRole("heading", { name: "Task 1:" }).waitFor();
      await page.getByRole("button", { name: "Link", exact: true }).click();
      const link = await page.getByRole("textbox", { name: "Link" }).inputValue();
      assert.match(link, /\/cspsym\/explorer\/(index\.html)?\?script=labs%2Fhanoi%2Fstart\.csp#v1\./);
      assert.deepEqual(page.complaints, []);
    });

    test("where a page leads to a graph, that is drawn", async () => {
      const page = await opened(site, PHILOSOPHERS);
      await page.getByRole("link", { name: "Draw all its states in the explorer" }).click();
      await page.getByText("Save as").waitFor();
      assert.deepEqual(page.complaints, []);
    });

    test("and says that it has no such script", async () => {
      const page = await opened(site, "explorer/?script=..%2Fnone.csp");
      await page.getByText("it has no script ../none.csp").waitFor();
    });
  });
});

/** How bright the corner of a picture is, from 0 to 1. */
async function brightness(page, picture) {
  const bytes = await picture.screenshot();
  return page.evaluate(async (data) => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    canvas.drawImage(bitmap, 0, 0);
    const [red, green, blue] = canvas.getImageData(12, 12, 1, 1).data;
    return (red + green + blue) / (3 * 255);
  }, bytes.toString("base64"));
}
