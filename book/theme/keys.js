// The button of the table of contents is a label, which the Tab key passes over: make it a button for the keyboard, too.
(() => {
    const toggle = document.getElementById("mdbook-sidebar-toggle");
    toggle.tabIndex = 0;
    toggle.setAttribute("role", "button");
    toggle.addEventListener("keydown", event => {
        if (event.key === "Enter" || event.key === " ") {
            event.preventDefault();
            toggle.click();
        }
    });
})();
