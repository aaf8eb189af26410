import { Component, type ReactNode } from "react";

interface ErrorBoundaryProps {
  /** Shown in the place of children that failed to render, or whose code could not be loaded. */
  readonly fallback: ReactNode;
  readonly children: ReactNode;
}

/** A part of the page that costs only itself when it fails. With another `key` it is tried again. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly failed: boolean }> {
  override state = { failed: false };

  static override getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true };
  }

  /** It is shown in its place, and told to whoever looks for errors of the page. */
  override componentDidCatch(error: unknown): void {
    reportError(error);
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}
