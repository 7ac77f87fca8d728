import { expect, test } from "bun:test";
import { copyText } from "../../web/ui/clipboard.ts";

test("copyText() rejects where there is no clipboard, so that the page can say so", async () => {
  // As on a page without encryption, and here.
  expect(navigator.clipboard).toBeUndefined();
  await expect(copyText("a code")).rejects.toThrow();
});
