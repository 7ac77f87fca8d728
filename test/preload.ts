import { configureGlobal } from "fast-check";

// The gate uses the same examples each time; another seed searches further: FC_SEED=… bun run test.
configureGlobal({ seed: Number(process.env.FC_SEED ?? 20261121) });
