declare module "qs" {
  type Options = { depth: number; arrayLimit: number; parameterLimit: number };
  export function parse(text: string, options: Options): Record<string, unknown>;
}
