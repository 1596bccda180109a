// The communication graph of a process, in the view Structure of the page of `cspsym explore`.
import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { launched, opened, options, pictured, served, violations } from "./browser.mjs";

/** The channels of `process`, drawn by the switch of the view Structure. */
async function channelsOf(page, process) {
  await page.getByRole("tab", { name: "Structure" }).click();
  await page.getByLabel("Process").fill(process);
  await page.getByRole("button", { name: "Compile" }).click();
  await page.getByRole("img", { name: `The machine of ${process}` }).waitFor();
  await page.getByRole("radio", { name: "channels" }).check();
  const drawing = page.getByRole("img", { name: `The channels of ${process}` });
  await drawing.waitFor();
  return drawing;
}

describe("channels on the page", options, () => {
  const chrome = launched();

  test("are drawn by a switch, with what breaks a symmetry", async (context) => {
    const address = await served(context, "cspm/philosophers/philosophers.csp");
    const page = await opened(chrome, address);
    const drawing = await channelsOf(page, "ASYMMETRIC");
    await page.getByText("8 components, 16 channels between them, 1 symmetry (trivial)", { exact: true }).waitFor();
    assert.equal(await drawing.locator(".marked").count(), 1, "the left-handed philosopher is odd");
    assert.match(await drawing.locator("g:has(.marked)").textContent(), /ONE_LEFT_HANDED\(0\)/);
    const broken = page.getByRole("region", { name: "What breaks symmetries" });
    assert.match(await broken.getByRole("listitem").first().textContent(), /can do pick\.0\.1 after/);
    await page.getByLabel("Process").fill("PLAIN");
    await page.getByRole("button", { name: "Compile" }).click();
    await page.getByRole("img", { name: "The channels of PLAIN" }).waitFor();
    await page.getByText("The channels as a table").click();
    const pick = page.getByRole("row").filter({ hasText: "pick.0.1" });
    assert.match(await pick.textContent(), /PHILOSOPHER\(0\) sends.*FORK\(1\) receives/);
    await page.getByRole("radio", { name: "operators" }).check();
    await page.getByRole("img", { name: "The machine of PLAIN" }).waitFor();
    assert.deepEqual(page.complaints, []);
  });

  test("of one orbit have one colour", async (context) => {
    const address = await served(context, "cspm/load-balancer/load-balancer.csp");
    const page = await opened(chrome, address);
    const drawing = await channelsOf(page, "SYSTEM");
    const colours = (text) => drawing.locator("g", { hasText: text }).locator("rect")
      .evaluateAll((all) => [...new Set(all.map((box) => getComputedStyle(box).stroke))]);
    const [clients, balancers] = [await colours("CLIENT_PROCESS"), await colours("BALANCER_PROCESS")];
    assert.equal(clients.length, 1);
    assert.equal(balancers.length, 1);
    assert.notDeepEqual(clients, balancers);
    assert.deepEqual(page.complaints, []);
  });

  for (const colorScheme of ["light", "dark"]) {
    test(`can be seen by everybody, ${colorScheme}`, async (context) => {
      for (const [script, process] of [["philosophers", "BUTLED"], ["philosophers", "ASYMMETRIC"], ["load-balancer", "SYSTEM"]]) {
        const address = await served(context, `cspm/${script}/${script}.csp`);
        for (const width of [1280, 800]) {
          const page = await opened(chrome, address, { colorScheme, viewport: { width, height: 800 }, bypassCSP: true });
          await channelsOf(page, process);
          await pictured(page, `channels-${process}-${colorScheme}-${width}`);
          assert.deepEqual(await violations(page), [], `${process}, ${width}`);
          await page.close();
        }
      }
    });
  }
});
