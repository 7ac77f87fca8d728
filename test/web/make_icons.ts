// Renders the icons of `web/public` from `web/drawings`: run `bun test/web/make_icons.ts` after changing a drawing.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sharedBrowser } from "../support/browser.ts";

const WEB = join(import.meta.dirname, "../../web");

async function draw(drawing: string, width: number, height = width): Promise<Buffer> {
  const page = await (await sharedBrowser()).newPage({ viewport: { width, height } });
  const svg = readFileSync(join(WEB, drawing)).toString("base64");
  await page.setContent(
    `<style>*{margin:0}img{display:block}</style><img width="${width}" height="${height}" src="data:image/svg+xml;base64,${svg}">`,
  );
  await page.locator("img").evaluate((image: HTMLImageElement) => image.decode());
  const png = await page.screenshot({ omitBackground: true });
  await page.close();
  return png;
}

/** An icon file that contains the PNGs unchanged. */
function iconFile(pictures: { size: number; png: Buffer }[]): Buffer {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  for (const [index, { size, png }] of pictures.entries()) {
    const at = 6 + 16 * index;
    head.writeUInt8(size, at);
    head.writeUInt8(size, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(png.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  return Buffer.concat([head, ...pictures.map(({ png }) => png)]);
}

const save = (name: string, bytes: Buffer) => writeFileSync(join(WEB, "public", name), bytes);

for (const size of [192, 512]) {
  save(`icon-${size}.png`, await draw("drawings/app.svg", size));
  save(`icon-maskable-${size}.png`, await draw("drawings/app_filled.svg", size));
}
save("apple-touch-icon.png", await draw("drawings/app_filled.svg", 180));
save("social.png", await draw("drawings/social.svg", 1200, 630));
const small = await Promise.all(
  [16, 32, 48].map(async (size) => ({ size, png: await draw("public/favicon.svg", size) })),
);
save("favicon.ico", iconFile(small));
await (await sharedBrowser()).close();
