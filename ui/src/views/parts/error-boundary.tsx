import { Component, type ReactNode } from "react";

interface ErrorBoundaryProps {
  /** Shown in the place of children that failed to render, or whose code could not be loaded. */
  readonly fallback: ReactNode | ((failure: Failure) => ReactNode);
  readonly children: ReactNode;
}

interface Failure {
  readonly error: unknown;
  /** Mounts the children anew. */
  retry(): void;
}

interface ErrorBoundaryState {
  readonly failure: { readonly error: unknown } | undefined;
}

/** A part of the page that costs only itself when it fails. With another `key` it is tried again. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { failure: undefined };

  static override getDerivedStateFromError(error: unknown): ErrorBoundaryState {
    return { failure: { error } };
  }

  /** It is shown in its place, and told to whoever looks for errors of the page. */
  override componentDidCatch(error: unknown): void {
    reportError(error);
  }

  override render(): ReactNode {
    const { failure } = this.state;
    const { fallback, children } = this.props;
    if (failure === undefined) return children;
    const retry = () => this.setState({ failure: undefined });
    return typeof fallback === "function" ? fallback({ error: failure.error, retry }) : fallback;
  }
}
