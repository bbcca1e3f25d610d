// One object holds what the page knows; whoever shows a part of it listens.

export type Listener<T> = (now: Readonly<T>, before: Readonly<T>) => void;

export class Store<T extends object> {
  private listeners: Listener<T>[] = [];

  constructor(private state: Readonly<T>) {}

  get(): Readonly<T> {
    return this.state;
  }

  set(change: Partial<T>): void {
    const before = this.state;
    this.state = { ...before, ...change };
    for (const listener of this.listeners) listener(this.state, before);
  }

  /** The listener is called at once too, so that showing for the first time is no special case. */
  watch(listener: Listener<T>): void {
    this.listeners.push(listener);
    listener(this.state, this.state);
  }
}
