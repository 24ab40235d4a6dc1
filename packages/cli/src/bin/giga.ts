#!/usr/bin/env node
import { start } from "./start.ts";

await start("giga", process.argv.slice(2));
