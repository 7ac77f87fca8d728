import { Anchor, Button, Select, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { ACCOUNT_STATES, type AccountState } from "../../src/identity/staff/staff_inputs.ts";
import { get } from "../api/call.ts";
import { type AccountPage, type Cursor, pageOf } from "../api/staff_api.ts";
import { useText } from "../app/i18n.tsx";
import { Address } from "../ui/display/address.tsx";
import { Card } from "../ui/display/card.tsx";
import { Moment } from "../ui/display/dates.tsx";
import { Fetched } from "../ui/display/fetched.tsx";
import { AccountBadges } from "./account_badges.tsx";
import classes from "./staff.module.css";
import { StaffPage } from "./staff_page.tsx";

const TYPING_MS = 300;

/** Finds accounts by the beginning of a name or an email. */
export default function Users() {
  const text = useText();
  const [typed, setTyped] = useState("");
  const [state, setState] = useState<AccountState | "">("");
  const [search] = useDebouncedValue(typed, TYPING_MS);
  const query = useInfiniteQuery({
    queryKey: ["/api/staff/accounts", search, state],
    queryFn: ({ pageParam: after }) => get("/api/staff/accounts", { query: { search, state, ...pageOf(after) } }),
    initialPageParam: undefined as Cursor | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: 0,
  });
  return (
    <StaffPage title={text("staff.users")} lead={text("staff.users.lead")}>
      <search className={classes.filters}>
        <TextInput
          label={text("staff.users.search")}
          leftSection={<IconSearch size={18} aria-hidden="true" />}
          value={typed}
          maxLength={320}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Select
          label={text("staff.users.state")}
          data={[
            { value: "", label: text("staff.users.all") },
            ...ACCOUNT_STATES.map((value) => ({ value, label: text(`staff.account.${value}`) })),
          ]}
          value={state}
          onChange={(value) => setState((value ?? "") as AccountState | "")}
          allowDeselect={false}
        />
      </search>
      <Card>
        <Fetched query={query} failureTitle={text("staff.load_failed")} height={320}>
          {({ pages }) => <Rows accounts={pages.flatMap(({ accounts }) => accounts)} />}
        </Fetched>
        {query.hasNextPage && (
          <Button variant="default" mt="md" loading={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
            {text("staff.more")}
          </Button>
        )}
      </Card>
    </StaffPage>
  );
}

function Rows({ accounts }: { accounts: AccountPage["accounts"] }) {
  const text = useText();
  if (accounts.length === 0) return <Text c="dimmed">{text("staff.users.none")}</Text>;
  return (
    <ul className={classes.rows}>
      {accounts.map((account) => (
        <li key={account.id} className={classes.row}>
          <div className={classes.main}>
            <Anchor component={Link} to={`../staff/users/${account.id}`} fw={600} underline="always">
              <Address>{account.email}</Address>
            </Anchor>
            <div className={classes.small}>
              <span dir="auto">{`${account.firstName} ${account.lastName}`}</span> · <Moment iso={account.createdAt} />
            </div>
          </div>
          <AccountBadges account={account} />
        </li>
      ))}
    </ul>
  );
}
