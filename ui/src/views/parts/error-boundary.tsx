import { Component, type ReactNode } from "react";
import { FileTries } from "../../app/page-files.js";
import { isMissingFile } from "../../model/error-text.js";

interface ErrorBoundaryProps {
  /** Replaces children that failed to render, or whose code could not be loaded. */
  readonly fallback: ReactNode | ((failure: Failure) => ReactNode);
  readonly children: ReactNode;
}

interface Failure {
  readonly error: unknown;
  /** The server has this page, and lacks a file of it. */
  readonly isLasting: boolean;
  /** Mounts the children again. */
  retry(): void;
}

interface ErrorBoundaryState {
  readonly failure: { readonly error: unknown; readonly isLasting: boolean } | undefined;
}

/**
 * A part of the page that costs only itself when it fails. With another `key` it is tried again. Where a file of the page is missing, it is
 * tried again once the server has the page.
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { failure: undefined };
  readonly #tries = new FileTries();
  #isMounted = true;

  static override getDerivedStateFromError(error: unknown): ErrorBoundaryState {
    return { failure: { error, isLasting: false } };
  }

  /** Reports the error to the listeners of the page. */
  override componentDidCatch(error: unknown): void {
    reportError(error);
    if (isMissingFile(error)) void this.#retryLater(error);
  }

  override componentWillUnmount(): void {
    this.#isMounted = false;
  }

  async #retryLater(error: unknown): Promise<void> {
    const isWorthIt = await this.#tries.wait();
    if (!this.#isMounted) return;
    this.setState({ failure: isWorthIt ? undefined : { error, isLasting: true } });
  }

  override render(): ReactNode {
    const { failure } = this.state;
    const { fallback, children } = this.props;
    if (failure === undefined) return children;
    const retry = () => this.setState({ failure: undefined });
    return typeof fallback === "function" ? fallback({ ...failure, retry }) : fallback;
  }
}
