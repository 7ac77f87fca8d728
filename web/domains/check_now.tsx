import { Button } from "@mantine/core";
import { IconCircleCheck, IconCloudOff, IconHourglassEmpty, IconRefresh } from "@tabler/icons-react";
import { post } from "../api/call.ts";
import type { Domain, DomainCheck } from "../api/domains_api.ts";
import { Text, useText } from "../app/i18n.tsx";
import { Notice } from "../ui/display/notice.tsx";
import { useDomainAction } from "./queries.ts";
import { useNoteProven } from "./use_note_proven.ts";

/** Looks for the published proof, and says what was found. */
export function CheckNow({ domain: { id, name } }: { domain: Domain }) {
  const text = useText();
  const noteProven = useNoteProven(name);
  const { mutate, data, isPending } = useDomainAction<DomainCheck>({
    call: () => post("/api/domains/:id/check", { params: { id } }),
    failureTitle: "domain.check_failed",
    onDone: ({ state }) => noteProven(state),
  });
  return (
    <>
      <div>
        <Button loading={isPending} leftSection={<IconRefresh size={18} aria-hidden="true" />} onClick={() => mutate()}>
          {text("domain.check")}
        </Button>
      </div>
      <div role="status">{data && !isPending && <Answer check={data} />}</div>
    </>
  );
}

function Answer({ check: { found, reason } }: { check: DomainCheck }) {
  const text = useText();
  if (found)
    return (
      <Notice icon={IconCircleCheck} tone="safe">
        {text("domain.found")}
      </Notice>
    );
  if (reason === null)
    return (
      <Notice icon={IconHourglassEmpty} tone="note">
        {text("domain.not_there")}
      </Notice>
    );
  return (
    <Notice icon={IconCloudOff} tone="alarm">
      <Text id="domain.unreachable" values={{ reason: <code lang="en">{reason}</code> }} />
    </Notice>
  );
}
