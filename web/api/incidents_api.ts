import type { ChangeIncidentInput, IncidentUpdateInput, OpenIncidentInput } from "../../src/operations/inputs.ts";
import { get, post, put, remove } from "./call.ts";

/** Staff API calls for incidents and maintenance. */
export const incidentsApi = {
  list: (page: number) => get("/api/staff/incidents", { query: { page } }),
  open: (body: OpenIncidentInput) => post("/api/staff/incidents", { body }),
  change: (id: string, body: ChangeIncidentInput) => put("/api/staff/incidents/:id", { params: { id }, body }),
  tell: (id: string, body: IncidentUpdateInput) => post("/api/staff/incidents/:id/updates", { params: { id }, body }),
  correct: (id: string, updateId: string, body: IncidentUpdateInput) =>
    put("/api/staff/incidents/:id/updates/:updateId", { params: { id, updateId }, body }),
  remove: (id: string) => remove("/api/staff/incidents/:id", { params: { id } }),
};
