import type { Usage } from "@computeragent/protocol";

const CHARS_PER_TOKEN = 4;

/** Counts the tokens of one turn: what `!usage` says, else a guess from the length of the texts. */
export class Meter {
  #input = 0;
  #output = 0;
  #stated: { input: number; output: number } | null = null;

  read(chars: number): void {
    this.#input += chars;
  }

  wrote(chars: number): void {
    this.#output += chars;
  }

  state(input: number, output: number): void {
    this.#stated = { input: (this.#stated?.input ?? 0) + input, output: (this.#stated?.output ?? 0) + output };
  }

  tokens(): Omit<Usage, "cost_usd"> {
    return {
      input_tokens: this.#stated?.input ?? Math.ceil(this.#input / CHARS_PER_TOKEN),
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 0,
      output_tokens: this.#stated?.output ?? Math.ceil(this.#output / CHARS_PER_TOKEN),
    };
  }

  usage(price?: (usage: Usage) => number): Usage {
    const tokens = this.tokens();
    return price ? { ...tokens, cost_usd: price(tokens) } : tokens;
  }
}
