// What Argo CD's notification engine makes of a trigger and of a webhook's template, with the packages that it is made
// of (argoproj/notifications-engine: pkg/triggers, pkg/templates). Reads JSON from the standard input and writes JSON.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"text/template"

	"github.com/Masterminds/sprig"
	"github.com/antonmedv/expr"
)

func main() {
	var asked struct {
		When, OncePer, Body string
		App                 map[string]interface{}
	}
	must(json.NewDecoder(os.Stdin).Decode(&asked))
	functions := sprig.TxtFuncMap()
	delete(functions, "env")
	delete(functions, "expandenv")
	body := template.Must(template.New("body").Funcs(functions).Parse(asked.Body))
	vars := map[string]interface{}{"app": asked.App}

	decided := map[string]interface{}{"isTriggered": false}
	holds, err := expr.Eval(asked.When, vars)
	must(err)
	if holds == true {
		oncePer, err := expr.Eval(asked.OncePer, vars)
		must(err)
		var text bytes.Buffer
		must(body.Execute(&text, vars))
		decided = map[string]interface{}{
			"isTriggered": true, "oncePer": fmt.Sprintf("%v", oncePer), "body": text.String(),
		}
	}
	must(json.NewEncoder(os.Stdout).Encode(decided))
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
