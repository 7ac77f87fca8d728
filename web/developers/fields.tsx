import { useText } from "../app/i18n.tsx";
import classes from "./developers.module.css";
import { fieldsOf, type Parameter, type Schema, typeOf } from "./document.ts";
import { Marked } from "./marked.tsx";

type FieldProps = { name: string; schema: Schema; description: string | undefined; required: boolean; sent: boolean };

function Field({ name, schema, description, required, sent }: FieldProps) {
  const text = useText();
  return (
    <li>
      <span lang="en">
        <code className={classes.name}>{name}</code> <span className={classes.type}>{typeOf(schema)}</span>
      </span>
      {required && sent && <span className={classes.required}>{text("developers.required")}</span>}
      {description && (
        <div lang="en" className={classes.meaning}>
          <Marked text={description} />
        </div>
      )}
      <Fields schema={schema} sent={sent} />
    </li>
  );
}

/** The fields of a body, recursively. Only for a request (`sent`) they are marked as required. */
export function Fields({ schema, sent = false }: { schema: Schema; sent?: boolean }) {
  const fields = fieldsOf(schema);
  if (fields.length === 0) return null;
  return (
    <ul className={classes.fields}>
      {fields.map(([name, field, required]) => (
        <Field key={name} name={name} schema={field} description={field.description} required={required} sent={sent} />
      ))}
    </ul>
  );
}

export function Parameters({ parameters }: { parameters: Parameter[] }) {
  return (
    <ul className={classes.fields}>
      {parameters.map(({ name, schema = {}, description, required = false }) => (
        <Field key={name} name={name} schema={schema} description={description} required={required} sent />
      ))}
    </ul>
  );
}
