import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useText } from "../app/i18n.tsx";
import { ConsentRecord } from "../shared/consent_record.tsx";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { Fetched } from "../ui/display/fetched.tsx";
import { consentRecordQuery } from "./queries.ts";

/** Opens the consent record, for both parties. */
export function RecordButton({ id, of }: { id: string; of: string }) {
  const text = useText();
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" size="sm" aria-label={text("grants.record_label", { of })} onClick={open}>
        {text("grants.record")}
      </Button>
      <Dialog opened={opened} onClose={close} title={text("record.title")}>
        {opened && <Story id={id} />}
      </Dialog>
    </>
  );
}

function Story({ id }: { id: string }) {
  const text = useText();
  const query = useQuery(consentRecordQuery(id));
  return (
    <Fetched query={query} failureTitle={text("grants.record_failed")} height={160}>
      {({ entries, inviter }) => <ConsentRecord entries={entries} inviter={inviter.name} />}
    </Fetched>
  );
}
