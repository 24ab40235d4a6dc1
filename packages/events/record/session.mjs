/** One recorded session: everything that its event stream showed, and what was sent. */
export class RecordedSession {
  events = [];
  /** What was sent, and after which event the sender knew of it. */
  messages = [];
  #base;
  #id;
  #wakers = new Set();

  static async create(base, body) {
    const session = new RecordedSession();
    session.#base = base;
    session.#id = (await session.#call("POST", "/v1/sessions", body)).sessionId;
    void session.#follow();
    return session;
  }

  /** Sends a message; resolves when it was accepted. */
  async send(text, delivery = "queue") {
    const body = { message: { role: "user", content: text }, delivery };
    const { messageId } = await this.#call("POST", `${this.#path}/messages`, body);
    this.messages.push({ messageId, text, after: this.events.findLast(({ id }) => id !== undefined)?.id ?? null });
  }

  /** Sends a message and waits for the end of its turn. */
  async turn(text) {
    const ends = this.#count("ca_turn_ended");
    await this.send(text);
    await this.until(() => this.#count("ca_turn_ended") > ends);
  }

  /** The next permission request that was not answered yet. */
  async request() {
    const settled = () => new Set(this.#of("ca_permission_resolved").map(({ data }) => data.callId));
    const open = () => this.#of("ca_permission_request").find(({ data }) => !settled().has(data.callId));
    await this.until(() => open() !== undefined);
    return open().data;
  }

  /** Answers the next permission request. */
  async answer(decision) {
    const { callId } = await this.request();
    await this.#call("POST", `${this.#path}/permission/${callId}`, decision);
    await this.until(() => this.#of("ca_permission_resolved").some(({ data }) => data.callId === callId));
  }

  interrupt() {
    return this.#call("POST", `${this.#path}/interrupt`);
  }

  /** What a second reader gets that has everything up to now: the frames that have no id. */
  async reconnect() {
    const head = this.events.findLast(({ id }) => id !== undefined).id;
    const abort = new AbortController();
    const again = [];
    const url = `${this.#base}${this.#path}/events?after=${head}`;
    const response = await fetch(url, { signal: abort.signal });
    for await (const item of frames(response.body)) {
      again.push(item);
      break;
    }
    abort.abort();
    this.events.push(...again);
  }

  /** Ends the input and waits for the end of the session. */
  async finish() {
    await this.#call("POST", `${this.#path}/end-input`);
    await this.until(() => this.#count("ca_session_ended") > 0);
  }

  /** Resolves when `holds` does, looked at after every event. */
  async until(holds) {
    while (!holds()) await new Promise((resolve) => this.#wakers.add(resolve));
  }

  get #path() {
    return `/v1/sessions/${this.#id}`;
  }

  #of(type) {
    return this.events.filter((event) => event.type === type);
  }

  #count(type) {
    return this.#of(type).length;
  }

  async #follow() {
    const response = await fetch(`${this.#base}${this.#path}/events`);
    for await (const item of frames(response.body)) {
      this.events.push(item);
      for (const wake of this.#wakers) wake();
      this.#wakers.clear();
    }
  }

  async #call(method, path, body) {
    const init =
      body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = await fetch(this.#base + path, { method, ...init });
    const answer = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer}`);
    return JSON.parse(answer);
  }
}

async function* frames(body) {
  let text = "";
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const parts = (text + chunk).split("\n\n");
    text = parts.pop();
    for (const part of parts) {
      const fields = Object.fromEntries(part.split("\n").map((line) => line.split(/: (.*)/s, 2)));
      if (fields.data === undefined) continue;
      const id = fields.id === undefined ? {} : { id: Number(fields.id) };
      yield { ...id, type: fields.event, data: JSON.parse(fields.data) };
    }
  }
}
