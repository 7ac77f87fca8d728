import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { shownAddress } from "../../src/shared/shown_address.ts";
import { post } from "../api/call.ts";
import { useText } from "../app/i18n.tsx";
import { Fetched } from "../ui/display/fetched.tsx";
import { AccountActions } from "./account_acts.tsx";
import { AccountParts } from "./account_parts.tsx";
import { StaffPage } from "./staff_page.tsx";

/** One account as staff see it, with the staff's actions. */
export default function User() {
  const text = useText();
  const { account_id: id = "" } = useParams();
  const query = useQuery({
    queryKey: ["/api/staff/accounts/:id", id],
    queryFn: () => post("/api/staff/accounts/:id/view", { params: { id } }),
    staleTime: 0,
  });
  return (
    <StaffPage title={query.data ? shownAddress(query.data.email) : text("staff.user")}>
      <Fetched query={query} failureTitle={text("staff.load_failed")} height={480}>
        {(account) => (
          <>
            <AccountActions account={account} />
            <AccountParts account={account} />
          </>
        )}
      </Fetched>
    </StaffPage>
  );
}
