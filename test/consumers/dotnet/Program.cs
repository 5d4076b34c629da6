using System.IO;
using System.Linq;
using System.Text.Json;
using Org.Cdk8s;

namespace EdgePlatform
{
    internal static class Program
    {
        /// <summary>
        /// Writes dist/*.k8s.yaml, and permissions.json for the stack that makes the role of the controller; given the
        /// argument "mistake", makes one.
        /// </summary>
        private static void Main(string[] args)
        {
            if (args.Contains("mistake"))
            {
                Mistake.Synth();
                return;
            }
            var app = new App();
            var permissions = new Platform(app).Permissions.Select(policy => policy.ToPolicyDocument());
            app.Synth();
            File.WriteAllText("permissions.json", JsonSerializer.Serialize(permissions));
        }
    }
}
