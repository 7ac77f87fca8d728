import { describe, expect, test } from "bun:test";
import * as v from "valibot";
import { alertQuery } from "../../src/breaches/inputs.ts";
import { ALERT_SORTS, LAST_PAGE, LONGEST_CATEGORY, LONGEST_WORDS } from "../../src/shared/alert.ts";
import type { Alert } from "../../web/api/api.ts";
import { csvAddress } from "../../web/api/api.ts";
import { NAVIGATION } from "../../web/app/navigation.ts";
import { PAGES } from "../../web/app/page_table.ts";
import {
  type AlertView,
  filterOf,
  filtersSet,
  isNarrowed,
  NO_FILTERS,
  nextOrder,
  paramsOf,
  viewOf,
} from "../../web/breaches/alert_filter.ts";
import { isUnseen, newestOf, newsAt } from "../../web/breaches/bell_news.ts";
import { conflictText, notYetChanged } from "../../web/breaches/conflict.ts";
import { alerts } from "./fake_alerts.ts";

const usual: AlertView = { ...NO_FILTERS, sort: "seriousness", direction: "desc", open: undefined };

describe("the URL of the alerts page", () => {
  test("viewOf() parses what paramsOf() wrote", () => {
    const view: AlertView = {
      state: "all",
      search: "a & b",
      address: "a+b@example.com",
      category: "credit-cards",
      flag: "malware",
      sort: "service",
      direction: "desc",
      page: 3,
      open: "b1",
    };
    expect(viewOf(paramsOf(view))).toEqual(view);
    for (const sort of ALERT_SORTS)
      for (const direction of ["asc", "desc"] as const)
        expect(viewOf(paramsOf({ ...usual, sort, direction }))).toEqual({ ...usual, sort, direction });
    expect(`${paramsOf(usual)}`).toBe("");
  });

  test("viewOf() replaces invalid values by the defaults", () => {
    expect(viewOf(new URLSearchParams("state=x&page=-2&alert=&flag=y&sort=z&direction=up"))).toEqual(usual);
    expect(viewOf(new URLSearchParams("page=1e99"))).toEqual(usual);
    expect(viewOf(new URLSearchParams("page=9999999999999"))).toEqual(usual);
    expect(viewOf(new URLSearchParams("search=%00a&address=b%00&category=%00"))).toEqual(usual);
    const long = "x".repeat(400);
    expect(viewOf(new URLSearchParams({ search: long, address: long, category: long }))).toEqual(usual);
  });

  test("viewOf() accepts everything within the limits of the list", () => {
    const most = { search: "x".repeat(LONGEST_WORDS), category: "y".repeat(LONGEST_CATEGORY), page: LAST_PAGE };
    expect(viewOf(paramsOf({ ...usual, ...most }))).toEqual({ ...usual, ...most });
    expect(v.parse(alertQuery, { ...most, page: `${LAST_PAGE}` })).toMatchObject(most);
    expect(v.safeParse(alertQuery, { page: `${LAST_PAGE + 1}` }).success).toBe(false);
  });

  test("isNarrowed() and filtersSet() detect filters", () => {
    expect([isNarrowed(usual), filtersSet(usual)]).toEqual([false, 0]);
    expect(isNarrowed({ ...usual, state: "all", sort: "service", page: 2, open: "b1" })).toBe(false);
    expect(isNarrowed({ ...usual, search: "x" })).toBe(true);
    expect(filtersSet({ ...usual, state: "handled", search: "x", flag: "malware", category: "names" })).toBe(2);
  });

  test("csvAddress() contains the filters and the order, but neither the page nor the open alert", () => {
    const view: AlertView = { ...usual, search: "a&b", flag: "spamList", page: 4, open: "b1" };
    expect(csvAddress(filterOf(view), "fr")).toBe(
      "/api/alerts.csv?state=pending&search=a%26b&flag=spamList&sort=seriousness&direction=desc&language=fr",
    );
  });
});

test("nextOrder() sorts by a column, reverses it and returns to sorting by severity", () => {
  const service = nextOrder(usual, "service");
  expect(service).toEqual({ sort: "service", direction: "asc" });
  const turned = nextOrder({ ...usual, ...service }, "service");
  expect(turned).toEqual({ sort: "service", direction: "desc" });
  expect(nextOrder({ ...usual, ...turned }, "service")).toEqual({ sort: "seriousness", direction: "desc" });
  expect(nextOrder({ ...usual, ...turned }, "happened")).toEqual({ sort: "happened", direction: "desc" });
});

describe("the bell's news", () => {
  const [first] = alerts();
  const alert: Alert = { ...(first as Alert), raisedAt: "2026-03-01T10:00:00.000Z", worsenedAt: null };
  const worse: Alert = { ...alert, worsenedAt: "2026-05-01T10:00:00.000Z" };

  test("newsAt() is when an alert was raised or became worse", () => {
    expect([newsAt(alert), newsAt(worse)]).toEqual([alert.raisedAt, "2026-05-01T10:00:00.000Z"]);
    expect(newestOf([worse, alert])).toBe("2026-05-01T10:00:00.000Z");
    expect(newestOf([])).toBeUndefined();
  });

  test("isUnseen() is true for pending alerts announced since the bell was last opened", () => {
    expect([isUnseen(alert, null), isUnseen(alert, alert.raisedAt)]).toEqual([true, false]);
    expect(isUnseen(worse, "2026-04-01T10:00:00.000Z")).toBe(true);
    expect(isUnseen({ ...worse, state: "handled" }, null)).toBe(false);
  });
});

describe("a change in another tab", () => {
  const [pending, , , , handled] = alerts() as [Alert, Alert, Alert, Alert, Alert];

  test("notYetChanged() returns those that are not yet in the intended state", () => {
    const conflicts = [
      { seen: pending, now: { ...pending, version: 4 } },
      { seen: pending, now: handled },
      { seen: pending, now: undefined },
    ];
    expect(notYetChanged(conflicts, "handled")).toEqual([{ ...pending, version: 4 }]);
    expect(notYetChanged(conflicts, "pending")).toEqual([handled]);
    expect(conflicts.map((conflict) => conflictText(conflict, "handled"))).toEqual([
      ...(["alerts.conflict_pending", "alerts.conflict_handled", "alerts.conflict_gone"] as const),
    ]);
    expect(conflicts.map((conflict) => conflictText(conflict, "pending"))).toEqual([
      ...(["alerts.conflict_reopened", "alerts.conflict_still_handled", "alerts.conflict_gone"] as const),
    ]);
  });
});

test("every entry of the sidebar leads to a page", () => {
  const paths = PAGES.map(({ path }) => path);
  expect(NAVIGATION.map(({ path }) => path).filter((path) => !paths.includes(path))).toEqual([]);
});
