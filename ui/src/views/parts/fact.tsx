import type { ReactNode } from "react";

interface FactProps {
  readonly name: string;
  readonly hint?: string;
  readonly children: ReactNode;
}

export function Fact({ name, hint, children }: FactProps) {
  return (
    <div data-tip={hint}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
