import type { ChangeInput, CheckoutInput } from "../../src/billing/inputs.ts";
import type { Language } from "../../src/shared/language.ts";
import { type Answer, get, post } from "./call.ts";

export type Plans = Answer<"/api/plans", "$get">;
/** A plan on offer, with all its prices. */
export type Offer = Plans["plans"][number];
export type PlanPreview = Answer<"/api/subscription/preview", "$post">;
export type OrderSuccess = Answer<"/api/order-success", "$post">;
export type Order = Answer<"/api/orders", "$get">["items"][number];

/** API calls for plans and payments. */
export const billingApi = {
  plans: () => get("/api/plans"),
  checkout: (body: CheckoutInput) => post("/api/checkout", { body }),
  previewChange: (body: ChangeInput) => post("/api/subscription/preview", { body }),
  change: (quote: string) => post("/api/subscription/change", { body: { quote } }),
  portal: (language: Language) => post("/api/portal", { body: { language } }),
  orderSuccess: (session: string) => post("/api/order-success", { body: { session } }),
  orders: () => get("/api/orders"),
  invoice: (id: string) => post("/api/orders/:id/invoice", { params: { id } }),
};
