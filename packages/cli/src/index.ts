export { type ComposedHost, type ComposeOptions, composeHost } from "./host/compose.ts";
export { buildProgram } from "./program.ts";
