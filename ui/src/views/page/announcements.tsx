import { useEffect, useState } from "react";
import { type Announcement, useAnnouncement } from "../../app/announcer.js";
import styles from "./announcements.module.css";

/** How long a message is shown; it can be listened to for longer. */
const SHOWN_MS = 4000;

/** What has happened, for a screen reader, and where it is to be seen as well, at the foot of the page. */
export function Announcements() {
  const latest = useAnnouncement();
  const [over, setOver] = useState<Announcement>();
  useEffect(() => {
    const timer = setTimeout(() => setOver(latest), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [latest]);
  const shown = latest.shown && over !== latest;
  return (
    <p role="status" className={shown ? styles.shown : "visually-hidden"}>
      {latest.text}
    </p>
  );
}
