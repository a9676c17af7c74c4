// Opens a page of deploy/clients/web in a browser and prints what it says once it has said its last.
//
// Usage: browser.js URL PIN      PIN: the key of the one certificate to trust, as a SHA-256 in Base64
"use strict";

const { chromium } = require("playwright-core");

async function main() {
  const [url, pin] = process.argv.slice(2);
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    // A sandbox needs rights that root in a container has not; the page is our own. The browser's own connections are off.
    chromiumSandbox: false,
    args: [`--ignore-certificate-errors-spki-list=${pin}`, "--disable-quic", "--disable-background-networking",
      "--disable-component-update", "--disable-sync"],
  });
  try {
    const page = await browser.newPage();
    await page.goto(url, { timeout: 60_000 });
    const log = page.locator("#log", { hasText: /^(check|failed): /m });
    await log.waitFor({ timeout: 60_000 });
    process.stdout.write(await log.textContent());
  } finally {
    await browser.close();
  }
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
