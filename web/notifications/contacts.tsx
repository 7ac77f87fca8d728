import { Button } from "@mantine/core";
import { IconAddressBook, IconSend } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { useText } from "../i18n.tsx";
import { contactsQuery } from "../queries.ts";
import { Card } from "../ui/card.tsx";
import { EmptyState } from "../ui/empty_state.tsx";
import { Fetched } from "../ui/fetched.tsx";
import { PageHead } from "../ui/page_head.tsx";
import classes from "./contact_card.module.css";
import { ContactCard } from "./contact_card.tsx";
import { inOrderOfNeed } from "./contact_state.ts";

/** Everywhere the account's alerts go, and how each of these places does. */
export default function Contacts() {
  const text = useText();
  const { lang } = useParams();
  const query = useQuery({ ...contactsQuery, staleTime: 0 });
  return (
    <>
      <PageHead
        title={text("contact_list.title")}
        action={
          <Button
            component={Link}
            to={`/${lang}/test-alerts`}
            variant="light"
            leftSection={<IconSend size={18} aria-hidden="true" />}
          >
            {text("nav.test_alerts")}
          </Button>
        }
      >
        {text("contact_list.lead")}
      </PageHead>
      <Fetched query={query} failureTitle={text("contact_list.load_failed")} height={320}>
        {({ items }) =>
          items.length === 0 ? (
            <NoContacts />
          ) : (
            <ul className={classes.list} aria-label={text("contact_list.label")}>
              {inOrderOfNeed(items).map((contact) => (
                <ContactCard key={contact.id} contact={contact} />
              ))}
            </ul>
          )
        }
      </Fetched>
    </>
  );
}

function NoContacts() {
  const text = useText();
  const { lang } = useParams();
  return (
    <Card>
      <EmptyState
        order={2}
        icon={IconAddressBook}
        title={text("contact_list.empty_title")}
        action={
          <Button component={Link} to={`/${lang}/new-track`}>
            {text("nav.new_track")}
          </Button>
        }
      >
        {text("contact_list.empty")}
      </EmptyState>
    </Card>
  );
}
