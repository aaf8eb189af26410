import { createRoot } from "react-dom/client";
import "./styles/tokens.css";
import "./styles/base.css";
import { App } from "./app/app.js";

createRoot(document.getElementById("app")!).render(<App />);
