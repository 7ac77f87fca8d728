import { parseAst } from "vite";

/** A node of the syntax tree, limited to the properties used here. */
type Node = { type: string; start: number; end: number } & Record<string, unknown>;
export type LongFunction = { path: string; line: number; lines: number };

const FUNCTIONS = ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"];

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode);
}

/** Every node below this one, except those inside nested functions. */
function ownNodes(node: Node): Node[] {
  return childrenOf(node).flatMap((child) => (FUNCTIONS.includes(child.type) ? [child] : [child, ...ownNodes(child)]));
}

/** `new Hono().get(…).post(…)`: a module's routes, each with its own function. */
function isChainOfRoutes(node: unknown): boolean {
  if (!isNode(node)) return false;
  if (node.type === "NewExpression") return isNode(node.callee) && node.callee.name === "Hono";
  return isChainOfRoutes(node.type === "CallExpression" ? node.callee : node.object);
}

/** A factory returns functions: an object that contains some, or routes. Its length consists of theirs. */
function isFactory(node: Node): boolean {
  const returned = ownNodes(node).flatMap(({ type, argument }) =>
    type === "ReturnStatement" && isNode(argument) ? [argument] : [],
  );
  return returned.some(
    (value) =>
      isChainOfRoutes(value) ||
      FUNCTIONS.includes(value.type) ||
      (value.type === "ObjectExpression" &&
        childrenOf(value).some(
          (property) => property.shorthand === true || FUNCTIONS.includes((property.value as Node)?.type),
        )),
  );
}

function functionsBelow(node: Node): Node[] {
  return childrenOf(node).flatMap((child) => [
    ...(FUNCTIONS.includes(child.type) ? [child] : []),
    ...functionsBelow(child),
  ]);
}

/** The functions of a file that are longer than `most` lines; a factory does not count, the functions inside it do. */
export function longFunctions(path: string, text: string, most: number): LongFunction[] {
  const lineAt = (offset: number) => text.slice(0, offset).split("\n").length;
  const program = parseAst(text, { lang: path.endsWith("x") ? "tsx" : "ts" }) as unknown as Node;
  return functionsBelow(program)
    .filter((found) => !isFactory(found))
    .map(({ start, end }) => ({ path, line: lineAt(start), lines: lineAt(end) - lineAt(start) + 1 }))
    .filter(({ lines }) => lines > most);
}
