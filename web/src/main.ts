import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { house } from "./house/house.svelte";
import { speech } from "./language/speech.svelte";

const target = document.getElementById("app");
if (!target) throw new Error("the page has no place for the app");

// Who is there is asked while the texts of the language come; not where the house has seen that it is nobody.
if ("nobody" in document.documentElement.dataset) house.clear();
else void house.look();
speech.load().then(
  () => mount(App, { target }),
  // A page without a word cannot say so: it tries again.
  () => setTimeout(() => location.reload(), 4000),
);
