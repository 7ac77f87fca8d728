import { Anchor, Button, Select, Text, TextInput } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { STAFF_ACTS } from "../../src/shared/staff.ts";
import { get } from "../api/call.ts";
import { type Cursor, pageOf, type StaffActRow } from "../api/staff_api.ts";
import { useText } from "../app/i18n.tsx";
import { Address } from "../ui/display/address.tsx";
import { Card } from "../ui/display/card.tsx";
import { Moment } from "../ui/display/dates.tsx";
import { Fetched } from "../ui/display/fetched.tsx";
import classes from "./staff.module.css";
import { StaffPage } from "./staff_page.tsx";

/** The audit log: who did what, when, and for what reason. */
export default function Audit() {
  const text = useText();
  const [query, setQuery] = useSearchParams();
  const actor = query.get("actor") ?? "";
  const [act, setAct] = useState("");
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const acts = useInfiniteQuery({
    queryKey: ["/api/staff/acts", actor, act, from, to],
    queryFn: ({ pageParam: after }) => get("/api/staff/acts", { query: { actor, act, from, to, ...pageOf(after) } }),
    initialPageParam: undefined as Cursor | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: 0,
  });
  return (
    <StaffPage title={text("staff.audit")} lead={text("staff.audit.lead")}>
      <search className={classes.filters}>
        <ActField value={act} onChange={setAct} />
        <DateField label={text("staff.audit.from")} value={from} onChange={setFrom} />
        <DateField label={text("staff.audit.to")} value={to} onChange={setTo} />
        {actor !== "" && (
          <Button variant="default" className={classes.button ?? ""} onClick={() => setQuery({})}>
            {text("staff.audit.everybody")}
          </Button>
        )}
      </search>
      <Card>
        <Fetched query={acts} failureTitle={text("staff.load_failed")} height={320}>
          {({ pages }) => <Acts acts={pages.flatMap((page) => page.acts)} />}
        </Fetched>
        {acts.hasNextPage && (
          <Button variant="default" mt="md" loading={acts.isFetchingNextPage} onClick={() => acts.fetchNextPage()}>
            {text("staff.more")}
          </Button>
        )}
      </Card>
    </StaffPage>
  );
}

type FilterProps = { value: string; onChange: (value: string) => void };

function ActField({ value, onChange }: FilterProps) {
  const text = useText();
  return (
    <Select
      label={text("staff.audit.act")}
      data={[
        { value: "", label: text("staff.audit.any") },
        ...STAFF_ACTS.map((act) => ({ value: act, label: text(`staff.act.${act}`) })),
      ]}
      value={value}
      onChange={(chosen) => onChange(chosen ?? "")}
      allowDeselect={false}
    />
  );
}

function DateField({ label, value, onChange }: FilterProps & { label: string }) {
  return (
    <TextInput
      type="date"
      label={label}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

function Acts({ acts }: { acts: StaffActRow[] }) {
  const text = useText();
  if (acts.length === 0) return <Text c="dimmed">{text("staff.audit.none")}</Text>;
  return (
    <ul className={classes.rows}>
      {acts.map((row) => (
        <li key={row.id} className={classes.row}>
          <div className={classes.main}>
            <strong>{text(`staff.act.${row.act}`)}</strong> <Target row={row} />
            <div className={classes.small}>
              <Moment iso={row.at} withTime /> · <Actor row={row} />
            </div>
            {row.reason !== null && <div dir="auto">{row.reason}</div>}
            <Detail detail={row.detail} />
          </div>
        </li>
      ))}
    </ul>
  );
}

function Detail({ detail }: { detail: StaffActRow["detail"] }) {
  const parts = Object.entries(detail).map(([name, value]) => `${name}: ${value}`);
  return parts.length === 0 ? null : <code className={classes.small}>{parts.join(", ")}</code>;
}

function Actor({ row: { by, actor } }: { row: StaffActRow }) {
  const text = useText();
  if (by !== "staff") return text(`staff.audit.${by}`);
  if (actor === null) return text("staff.audit.gone");
  return (
    <Anchor component={Link} to={`?actor=${actor.id}`} inherit underline="always">
      <Address>{actor.name}</Address>
    </Anchor>
  );
}

function Target({ row: { object } }: { row: StaffActRow }) {
  const text = useText();
  if (object.kind === "account" && object.id === null) return text("staff.audit.gone");
  if (object.kind !== "account")
    return (
      <span>
        {text(`staff.object.${object.kind}`)} <code>{object.id}</code>
      </span>
    );
  return (
    <Anchor component={Link} to={`../staff/users/${object.id}`} inherit underline="always">
      <Address>{object.name ?? object.id ?? ""}</Address>
    </Anchor>
  );
}
