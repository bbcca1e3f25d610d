// Undo and redo over values that never change.

export class History<T> {
  private past: T[] = [];
  private future: T[] = [];

  constructor(
    private now: T,
    private readonly most = 200,
  ) {}

  get present(): T {
    return this.now;
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    return this.future.length > 0;
  }

  push(value: T): void {
    if (value === this.now) return;
    this.past.push(this.now);
    if (this.past.length > this.most) this.past.shift();
    this.now = value;
    this.future = [];
  }

  undo(): T {
    const value = this.past.pop();
    if (value !== undefined) {
      this.future.push(this.now);
      this.now = value;
    }
    return this.now;
  }

  redo(): T {
    const value = this.future.pop();
    if (value !== undefined) {
      this.past.push(this.now);
      this.now = value;
    }
    return this.now;
  }
}
