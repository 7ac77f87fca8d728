import { type WithoutNulls, withNulls, withoutNulls } from "../../../database/nulls.ts";
import type { Delivery } from "../../ports.ts";
import type { deliveryTable } from "./tables.ts";

export type Row = typeof deliveryTable.$inferSelect;

export function deliveryOf({ channel, value, ...row }: Row | WithoutNulls<Row>): Delivery {
  return { ...withoutNulls(row), recipient: { channel, value } };
}

export function rowOf({ recipient: { channel, value }, ...delivery }: Delivery): Row {
  return { ...withNulls(delivery), channel, value };
}
