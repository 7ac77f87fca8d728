import { describe, expect, test } from "bun:test";
import { readConnectionString } from "../../src/database/connection_string.ts";

function contentOf(text: string) {
  const read = readConnectionString(text);
  if (!read.ok) throw new Error(read.problem);
  return read.value;
}

function problemOf(text: string): string {
  const read = readConnectionString(text);
  return read.ok ? "" : read.problem;
}

const ENCODING =
  'percent-encode its user name and password: %25 for "%", %23 for "#", %2F for "/", %3F for "?", %3A for ":" and %40 for "@"';
const ENCODE = `cannot be read; ${ENCODING}`;
const MODES = "disable or allow or prefer or require or verify-ca or verify-full";
const at = (name: string, port = 5432) => ({ name, port });

describe("readConnectionString()", () => {
  test("reads what libpq's documentation shows", () => {
    expect(
      contentOf("postgresql://ada:p%40ss%2F%25@db.example:6432/bell?application_name=bb&connect_timeout=10"),
    ).toEqual({
      hosts: [at("db.example", 6432)],
      user: "ada",
      password: "p@ss/%",
      database: "bell",
      encryption: { mode: "prefer" },
      startup: { application_name: "bb" },
      keepAliveSeconds: 30,
      connectMs: 10_000,
    });
  });

  test.each([
    ["postgres://localhost", [at("localhost")]],
    ["postgres://u@[2001:db8::1]:6432/b", [at("2001:db8::1", 6432)]],
    ["postgres://u@[::1]/b", [at("::1")]],
    ["postgres://u@one:1,two,three:3/b", [at("one", 1), at("two"), at("three", 3)]],
    ["postgres://u@one,two:2/b?target_session_attrs=read-write", [at("one"), at("two", 2)]],
    ["postgres:///b?host=/run/postgresql", [at("/run/postgresql")]],
    ["postgres://u@%2Frun%2Fpostgresql/b", [at("/run/postgresql")]],
    ["postgres://u@ignored:1/b?host=one,two&port=2,3", [at("one", 2), at("two", 3)]],
    ["postgres://u@/b?host=one,two&port=7", [at("one", 7), at("two", 7)]],
  ])("%s: its hosts", (text, hosts) => {
    expect(contentOf(text).hosts).toEqual(hosts);
  });

  test.each([
    ["", { mode: "prefer" }],
    ["sslmode=disable", { mode: "disable" }],
    ["sslmode=allow", { mode: "allow" }],
    ["sslmode=prefer", { mode: "prefer" }],
    ["sslmode=require", { mode: "require" }],
    ["ssl=true", { mode: "require" }],
    ["sslmode=verify-ca", { mode: "verify-ca" }],
    ["sslmode=verify-full", { mode: "verify-full" }],
    ["sslmode=require&sslrootcert=/ca.pem", { mode: "verify-ca", rootCertificate: "/ca.pem" }],
    ["sslmode=verify-full&sslrootcert=/ca.pem", { mode: "verify-full", rootCertificate: "/ca.pem" }],
    ["sslrootcert=system", { mode: "verify-full" }],
    ["sslcert=/c.pem&sslkey=/k.pem", { mode: "prefer", client: { certificate: "/c.pem", key: "/k.pem" } }],
  ])("?%s: its encryption", (query, encryption) => {
    expect(contentOf(`postgres://u:p@db/b?${query}`).encryption as unknown).toEqual(encryption);
  });

  test.each([
    ["keepalives=0", { keepAliveSeconds: undefined }],
    ["keepalives=1&keepalives_idle=7", { keepAliveSeconds: 7 }],
    ["user=ada&password=a%20b&dbname=bell", { user: "ada", password: "a b", database: "bell" }],
    ["options=-c%20work_mem%3D8MB", { startup: { options: "-c work_mem=8MB" } }],
    ["connect_timeout=0", { connectMs: undefined }],
    ["channel_binding=prefer&gssencmode=disable&client_encoding=UTF8&sslsni=1", {}],
  ])("?%s", (query, expected) => {
    expect(contentOf(`postgres://u:p@db/b?${query}`)).toMatchObject(expected);
  });

  test("tries several hosts for a second each, unless they are given more time", () => {
    expect(contentOf("postgres://one,two/b").connectMs).toBe(1000);
    expect(contentOf("postgres://one,two/b?connect_timeout=3").connectMs).toBe(3000);
  });

  test.each([
    ["mysql://u:p@db/b", 'must be "embedded" or look like postgres://user:password@host:5432/database'],
    ["postgres:b", 'must be "embedded" or look like postgres://user:password@host:5432/database'],
    ["postgres:///b", "names no host: add one, or the directory of a socket as ?host=/var/run/postgresql"],
    ["postgres://u:p@one,,two/b", "names no host: add one, or the directory of a socket as ?host=/var/run/postgresql"],
    ["postgres://u:p@db:0/b", "has a port that is not a number from 1 to 65535"],
    ["postgres://u:p@db:65536/b", "has a port that is not a number from 1 to 65535"],
    ["postgres://u:p@db/b?host=a,b,c&port=1,2", "must name one port, or one for each host"],
    ["postgres://u:p@db/b?sslmode=on", `has a value of sslmode that does not exist: use ${MODES}`],
    ["postgres://u:p@db/b?sslmode=require&sslrootcert=system", "needs sslmode=verify-full with sslrootcert=system"],
    [
      "postgres://u:p@db/b?sslrootcert=/ca.pem",
      "has sslrootcert, but its sslmode verifies nothing: use sslmode=verify-full",
    ],
    ["postgres://u:p@db/b?sslcert=/c.pem", "needs sslcert and sslkey together"],
    [
      "postgres://u:p@db/b?channel_binding=require",
      "has a value of channel_binding that is not supported: use disable or prefer, or leave it out",
    ],
    [
      "postgres://u:p@db/b?gssencmode=require",
      "has a value of gssencmode that is not supported: use disable or prefer, or leave it out",
    ],
    [
      "postgres://u:p@db/b?target_session_attrs=standby",
      "has a value of target_session_attrs that is not supported: use any or read-write or primary, or leave it out",
    ],
    ["postgres://u:p@db/b?keepalives_idle=soon", "has a value of keepalives_idle that is not a number of seconds"],
    ["postgres://u:p@db/b?prepare=false", "has the parameter prepare, which is not supported: leave it out"],
    [
      "postgres://u:p@db/b?keepalives_count=3",
      "has the parameter keepalives_count, which is not supported: leave it out",
    ],
    ["postgres://db/b?pw=secret", `has a parameter that is not supported: leave it out, or ${ENCODING}`],
  ])("refuses %s in one sentence", (text, problem) => {
    expect(problemOf(text)).toBe(problem);
  });

  const torn = [
    "%",
    "#",
    "/",
    "?",
    "%zz",
    "#1",
    "/34",
    "?34",
    "?a=1",
    "?a&b",
    "?host=",
    "?user=a&host=",
    "/x?y",
    "//",
    "??",
    "/12:34",
  ].flatMap((part) => ["12", "S3CRET", ""].map((before) => `${before}${part}S3CRET`));
  test.each(torn)("names an unencoded password %s as such, and quotes nothing of it", (password) => {
    const problem = problemOf(`postgres://user:${password}@db.example:5432/bell`);
    expect(problem).toEndWith(ENCODING);
    expect(problem).not.toContain("S3CRET");
    expect(problemOf(`postgres://user:${encodeURIComponent(password)}@db.example:5432/bell`)).toBe("");
  });

  test("accepts a password with a colon or an at sign", () => {
    expect(contentOf("postgres://u:a@b:c@db/b")).toMatchObject({ password: "a@b:c", hosts: [at("db")] });
    expect(ENCODE).toStartWith("cannot be read");
  });
});
