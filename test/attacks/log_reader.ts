import { eventually, figureOf } from "../e2e/product.ts";
import { MORE_THAN_FITS, startUnread, unanswered } from "../e2e/unread_product.ts";
import { atLeast, atMost, type Finding, statusOf } from "../faults/bench.ts";

/** S52: the reader of the log has stopped. */
export async function stillReader(): Promise<Finding[]> {
  const product = await startUnread();
  try {
    const missing = await unanswered(product, MORE_THAN_FITS, 20_000);
    const page = await statusOf(`${product.url}/en/login`);
    const dropped = await figureOf(product.url, "breachbell_log_lines_dropped_total");
    product.child.kill("SIGTERM");
    const code = await eventually("the process has ended", () => product.child.exitCode ?? undefined);
    return [
      atMost("S52", `requests without an answer while nobody reads the log, of ${MORE_THAN_FITS}`, missing, 0),
      atMost("S52", "pages without one", Number(page !== 200), 0),
      atLeast("S52", "lines that are dropped and counted", dropped ?? 0, 1),
      atMost("S52", "orderly stops that it holds up", Number(code !== 0), 0),
    ];
  } finally {
    await product.close();
  }
}
