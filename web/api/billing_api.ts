import type { Answer } from "./call.ts";

export type Plans = Answer<"/api/plans", "$get">;
/** A plan on offer, with all its prices. */
export type Offer = Plans["plans"][number];
export type PlanPreview = Answer<"/api/subscription/preview", "$post">;
export type OrderSuccess = Answer<"/api/order-success", "$post">;
export type Order = Answer<"/api/orders", "$get">["items"][number];
