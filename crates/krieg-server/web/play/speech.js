// Reads the umpire's announcements aloud if the user wants that. The browser remembers the choice.

const STORAGE_KEY = "speech";

export function makeSpeech() {
  const supported = "speechSynthesis" in window;
  let on = supported && localStorage.getItem(STORAGE_KEY) === "on";
  return {
    supported,
    get on() {
      return on;
    },
    toggle() {
      on = !on;
      localStorage.setItem(STORAGE_KEY, on ? "on" : "off");
      if (!on) speechSynthesis.cancel();
    },
    /** @param {string} text */
    speak(text) {
      if (!on) return;
      const utterance = new SpeechSynthesisUtterance(text);
      utterance.lang = "en";
      speechSynthesis.speak(utterance);
    },
    stop() {
      if (supported) speechSynthesis.cancel();
    },
  };
}
