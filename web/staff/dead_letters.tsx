import { Button, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { get, post } from "../api/call.ts";
import type { DeadLetters } from "../api/staff_api.ts";
import { useShowError } from "../app/errors.tsx";
import { useText } from "../app/i18n.tsx";
import { ChannelIcon } from "../shared/channel_icon.tsx";
import { useConfirmed } from "../ui/dialog/confirmation.tsx";
import { Address } from "../ui/display/address.tsx";
import { Moment } from "../ui/display/dates.tsx";
import { Fetched } from "../ui/display/fetched.tsx";
import { Pager } from "../ui/display/pager.tsx";
import { Part } from "./part.tsx";
import classes from "./staff.module.css";

/** Undeliverable messages, each with a button to retry. */
export function DeadLetterList() {
  const text = useText();
  const [page, setPage] = useState(1);
  const query = useQuery({
    queryKey: ["/api/staff/dead-letters", page],
    queryFn: () => get("/api/staff/dead-letters", { query: { page } }),
    staleTime: 0,
  });
  return (
    <Part title={text("staff.dead_letters")}>
      <Fetched query={query} failureTitle={text("staff.load_failed")} height={120}>
        {({ items, total, pageSize }) =>
          total === 0 ? (
            <Text c="dimmed">{text("staff.dead_letters.none")}</Text>
          ) : (
            <>
              <ul className={classes.rows}>
                {items.map((letter) => (
                  <Letter key={letter.id} letter={letter} />
                ))}
              </ul>
              <Pager page={page} pageSize={pageSize} total={total} onPage={setPage} />
            </>
          )
        }
      </Fetched>
    </Part>
  );
}

function Letter({ letter: { id, channel, value, kind, at, detail } }: { letter: DeadLetters["items"][number] }) {
  const text = useText();
  const queries = useQueryClient();
  const confirmed = useConfirmed();
  const { mutate, isPending } = useMutation({
    mutationFn: () => confirmed(() => post("/api/staff/dead-letters/:id/resend", { params: { id } })),
    onSuccess: () => {
      toast.success(text("staff.dead_letters.resent"));
      return queries.invalidateQueries({ queryKey: ["/api/staff"] });
    },
    onError: useShowError("staff.failed"),
    onSettled: () => queries.invalidateQueries({ queryKey: ["/api/staff/dead-letters"] }),
  });
  return (
    <li className={classes.row}>
      <ChannelIcon channel={channel} />
      <div className={classes.main}>
        <div>
          <Address>{value}</Address> · <code>{kind}</code>
        </div>
        <div className={classes.small}>
          <Moment iso={at} withTime />
          {detail !== null && ` · ${detail}`}
        </div>
      </div>
      <Button
        variant="default"
        size="xs"
        loading={isPending}
        onClick={() => mutate()}
        aria-label={text("staff.dead_letters.resend_to", { value })}
      >
        {text("staff.dead_letters.resend")}
      </Button>
    </li>
  );
}
